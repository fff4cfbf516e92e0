/**
 * Whether a container has one clock from its beginning to its end, and an index of keyframes by it: MP4 and Matroska.
 * What was broadcast may have been put together of several.
 */
export function hasContinuousTimestamps(container: string): boolean {
  return container.includes('mp4') || container.includes('matroska');
}
