const cue = /^(?:\d+:)?\d\d:\d\d[.,]\d{3} --> (?:(\d+):)?(\d\d):(\d\d)[.,](\d{3})/;

/** When a cue ends, in seconds, where this line of an SRT or WebVTT file gives the times of one. */
export function readCueEndSeconds(line: string): number | undefined {
  const [, hours = 0, minutes, seconds, milliseconds] = cue.exec(line) ?? [];
  if (minutes === undefined) return undefined;
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds) + Number(milliseconds) / 1000;
}
