import { inject, it } from 'vitest';

/** A test that moto cannot pass: docs/testing.md lists what it does otherwise than AWS documents. */
export const itOnEmulator = it.skipIf(inject('moto') !== undefined);
