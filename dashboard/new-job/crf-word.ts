/** What a constant rate factor means to the eye, by x264's scale; the other encoders' scales are a little longer. */
export function crfWord(crf: number): string {
  if (crf <= 17) return 'Looks like the source, large file';
  if (crf <= 23) return 'Hard to tell from the source';
  if (crf <= 28) return 'Good, and much smaller';
  if (crf <= 35) return 'Small, with visible loss';
  return 'Very small, rough';
}
