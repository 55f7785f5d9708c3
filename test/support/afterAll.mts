import { afterAll } from '@jest/globals';
import './haste.mts';
import { expectNoSecretOnDisk } from './secrets.mts';

afterAll(expectNoSecretOnDisk);
