import { afterAll, beforeEach } from 'vitest';
import { endDownTo, heldThings } from './after-use.ts';

let running = 0;
let heldBefore = 0;

// A setup file registers its hooks first. So what they return and do runs last, when nothing uses the things any more.
beforeEach(() => {
  if (running === 0) heldBefore = heldThings();
  running += 1;
  return async () => {
    running -= 1;
    if (running === 0) await endDownTo(heldBefore);
  };
});
afterAll(() => endDownTo(0));
