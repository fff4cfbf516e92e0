/** What a recipe is for, in one line. */
const lines: Readonly<Record<string, string>> = {
  compress: 'Smaller MP4 that looks the same',
  transcode: 'Another codec or format: WebM, ProRes…',
  remux: 'Another container, without encoding',
  'hdr-to-sdr': 'HDR of phones, right on every screen',
  hls: 'Adaptive stream for a web player',
  renditions: 'The same video in several sizes',
  sprite: 'Images for the seek bar of a player',
  resize: 'Vertical 9:16, square or another size',
  clip: 'Cut out a part',
  concat: 'Join several videos',
  watermark: 'A logo over the video',
  'burn-subtitles': 'Captions burned into the video',
  rotate: 'Turn or mirror',
  speed: 'Faster or slower',
  mute: 'Removes the audio',
  'extract-audio': 'MP3 for podcasts: cover and tags',
  'normalize-audio': 'Even loudness for talks and podcasts',
  thumbnail: 'One frame as an image',
  thumbnails: 'An image every few seconds',
  'contact-sheet': 'Many frames in one image',
  gif: 'Short animation for chats and mail',
  'animated-webp': 'Short animation, smaller than a GIF',
  image: 'Convert or resize a photo',
  probe: 'Codec, size, tracks and more as JSON',
  'extract-subtitles': 'Captions as a file',
};

const goals: readonly { title: string; recipes: readonly string[] }[] = [
  { title: 'Make it smaller or convert it', recipes: ['compress', 'transcode', 'remux', 'hdr-to-sdr'] },
  { title: 'Stream it in a player', recipes: ['hls', 'renditions', 'sprite'] },
  {
    title: 'Edit it, or fit it for social media',
    recipes: ['resize', 'clip', 'concat', 'watermark', 'burn-subtitles', 'rotate', 'speed', 'mute'],
  },
  { title: 'Audio and podcasts', recipes: ['extract-audio', 'normalize-audio'] },
  {
    title: 'Images and animations',
    recipes: ['thumbnail', 'thumbnails', 'contact-sheet', 'gif', 'animated-webp', 'image'],
  },
  { title: 'Inspect it', recipes: ['probe', 'extract-subtitles'] },
];

/** What a recipe is for; of a recipe that this version does not know, the first sentence of its description. */
export function recipeLine({ name, description }: { name: string; description: string }): string {
  return lines[name] ?? description.split('. ')[0] ?? '';
}

/** Recipes by what somebody wants to do; those of no goal come last. */
export function recipesByGoal<Recipe extends { name: string }>(
  recipes: readonly Recipe[],
): { title: string; recipes: Recipe[] }[] {
  const known = new Set(goals.flatMap((goal) => goal.recipes));
  const groups = goals.map(({ title, recipes: names }) => ({
    title,
    recipes: names.flatMap((name) => recipes.filter((recipe) => recipe.name === name)),
  }));
  return [...groups, { title: 'More', recipes: recipes.filter(({ name }) => !known.has(name)) }].filter(
    (group) => group.recipes.length > 0,
  );
}
