import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { aSampleDashboard, describeAccessibility, type SampleDashboard } from './describe-accessibility.ts';

let sample: SampleDashboard;

beforeAll(async () => {
  sample = await aSampleDashboard();
});
afterAll(() => sample?.dashboard.stop());
afterEach(() => expect(sample.dashboard.problems()).toEqual([]));

describeAccessibility('in the light scheme', { scheme: 'light' }, () => sample);
describeAccessibility('in the dark scheme', { scheme: 'dark' }, () => sample);
describeAccessibility('at 375 pixels', { scheme: 'light', width: 375 }, () => sample);
