/** A request that cuts a film and then makes a GIF of what was cut, by parameters of several kinds. */
export function aPipelineRequest(url: string) {
  return {
    mode: 'pipeline',
    input: { url },
    output: { format: 'gif' },
    steps: [
      { name: 'cut', recipe: { name: 'clip', start: 1, end: 2 } },
      { recipe: { name: 'gif', loop: false } },
    ],
  };
}
