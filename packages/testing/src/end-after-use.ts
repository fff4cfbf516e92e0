import { afterAll, beforeEach } from 'vitest';
import { endDownTo, heldThings } from './after-use.ts';

// A setup file registers its hooks first. So what they return and do runs last, when nothing uses the things any more.
beforeEach(() => {
  const heldBefore = heldThings();
  return () => endDownTo(heldBefore);
});
afterAll(() => endDownTo(0));
