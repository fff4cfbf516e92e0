/** A job request. Its input is never fetched: its stages run no worker. */
export const jobRequest = {
  mode: 'recipe',
  input: { url: 'https://media.example/in.mp4' },
  output: { format: 'mp4' },
  recipe: { name: 'compress', crf: 28 },
};
