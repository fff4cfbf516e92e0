type Cue = { start: number; end: number; url: string; x: number; y: number; width: number; height: number };

/** Shows the thumbnail of a time in an element. */
export type Preview = (element: HTMLElement, seconds: number) => void;

/** The thumbnails of a sprite, by its cues (WebVTT with spatial media fragments). Without them nothing is shown. */
export function previewOf(cuesUrl: string): Preview {
  let cues: Cue[] = [];
  void fetch(cuesUrl)
    .then((answer) => (answer.ok ? answer.text() : ''))
    .then((text) => {
      cues = parseCues(text, cuesUrl);
    });
  return (element, seconds) => {
    const cue = cues.find(({ start, end }) => start <= seconds && seconds < end);
    element.hidden = cue === undefined;
    if (cue === undefined) return;
    const { url, x, y, width, height } = cue;
    Object.assign(element.style, {
      width: `${width}px`,
      height: `${height}px`,
      background: `url("${url}") -${x}px -${y}px`,
    });
  };
}

function parseCues(text: string, base: string): Cue[] {
  return [...text.matchAll(/([\d:.]+) --> ([\d:.]+)\s+(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)/g)].map(
    ([, start = '', end = '', name = '', ...box]) => {
      const [x = 0, y = 0, width = 0, height = 0] = box.map(Number);
      return { start: secondsOf(start), end: secondsOf(end), url: new URL(name, base).href, x, y, width, height };
    },
  );
}

function secondsOf(timestamp: string): number {
  return timestamp.split(':').reduce((sum, value) => sum * 60 + Number(value), 0);
}
