/** Command lines at the end of a command's help, by its path. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  submit: [
    'submit holiday.mov --recipe compress --crf 28 --download',
    'submit talk.mp4 --recipe hls --subtitles en=talk.en.srt --subtitles de=talk.de.srt --wait',
    'submit https://example.com/in.mp4 --recipe thumbnail --at best --format jpg --download poster.jpg',
    'submit intro.mp4 talk.mp4 --recipe concat --download whole.mp4',
  ],
  presets: [
    'submit talk.mp4 --preset course@2 --set recipe.maxWidth=960 --wait',
    'presets compare course@2 course@3 --inputs talk.mp4 film.mov --max-usd 1',
  ],
  batches: ['batches submit lectures.jsonl --preset course@2 --max-usd 50 --wait', 'batches report $batch'],
  backfill: ['backfill films --estimate', 'backfill films --max-usd 200', 'backfill films --again raw/1/film.mov'],
  upload: ['upload holiday.mov', 'submit "$(media-jobs upload holiday.mov)" --recipe compress'],
  estimate: ['estimate holiday.mov --recipe compress --crf 28'],
  list: ['list --state failed --limit 20'],
  download: ['download 01a2275c-5121-749e-bb70-64be78db8aaf videos/'],
  watch: ['watch', 'watch 01a2275c-5121-749e-bb70-64be78db8aaf'],
  listen: ['listen --forward http://localhost:3000/hook'],
  recipes: ['recipes', 'recipes hls'],
  completion: ['completion bash >> ~/.bashrc'],
};
