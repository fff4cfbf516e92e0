import { type Cue, cueStyle, readCues } from '../src/job-page/sprite-cues.ts';

/** Shows the thumbnail of a time in an element. */
export type Preview = (element: HTMLElement, seconds: number) => void;

/** The thumbnails of a sprite by its cues. Without them nothing is shown. */
export function previewOf(cuesUrl: string): Preview {
  let cues: Cue[] = [];
  void readCues(cuesUrl).then((read) => {
    cues = read;
  });
  return (element, seconds) => {
    const cue = cues.find(({ start, end }) => start <= seconds && seconds < end);
    element.hidden = cue === undefined;
    if (cue !== undefined) Object.assign(element.style, cueStyle(cue));
  };
}
