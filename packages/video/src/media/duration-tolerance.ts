/** Tolerance in seconds for rounding in the container, encoder delay and the duration of the last frame. */
export function durationToleranceSeconds(planned: number): number {
  return Math.max(0.5, planned * 0.01);
}
