/** A job as customers submit it. Its input is never fetched: where it is used, no worker runs. */
export const jobRequest = {
  mode: 'recipe',
  input: { url: 'https://media.example/in.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
};
