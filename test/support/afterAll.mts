import { afterAll } from '@jest/globals';
import { expectNoSecretOnDisk } from './secrets.mts';

afterAll(expectNoSecretOnDisk);
