import { afterAll } from '@jest/globals';
import { backOff } from '../../nodes/ClientOnboarding/service/waiting';
import { expectNoSecretOnDisk } from './secrets.mts';

// Troubles are waited for as in life, only ten times as fast.
backOff.firstMs /= 10;

afterAll(expectNoSecretOnDisk);
