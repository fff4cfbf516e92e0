const steps = [
  { seconds: 86_400, unit: 'd' },
  { seconds: 3_600, unit: 'h' },
  { seconds: 60, unit: 'min' },
] as const;

/** How long ago a moment was, shortly: `now`, `5 min`, `3 h`, `12 d`. */
export function formatAge(instant: string, now: number): string {
  const seconds = Math.max(0, (now - Date.parse(instant)) / 1000);
  const step = steps.find((one) => seconds >= one.seconds);
  return step === undefined ? 'now' : `${Math.floor(seconds / step.seconds)} ${step.unit}`;
}
