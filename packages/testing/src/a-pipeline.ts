/** A pipeline that clips a video and makes a GIF of the clip, with parameters of several types. */
export function aPipelineRequest(url: string) {
  return {
    mode: 'pipeline',
    input: { url },
    output: { format: 'gif' },
    steps: [{ name: 'cut', recipe: { name: 'clip', start: 1, end: 2 } }, { recipe: { name: 'gif', loop: false } }],
  };
}
