/**
 * SMPTE time codes (ST 12-1). A time code counts frames by a whole rate: 30 for 29.97. Drop frame, written with `;` or `.`
 * before the frames, leaves out two numbers of 30 in each minute but every tenth, so that it keeps up with the clock.
 */
type Labels = { hours: number; minutes: number; seconds: number; frames: number; separator: string };

/** The time code of a frame that comes this many frames after the one with `timecode`. */
export function addFrames(timecode: string, { frames, fps }: { frames: number; fps: number }): string {
  const rate = Math.round(fps);
  const { separator, ...labels } = read(timecode);
  const dropped = separator !== ':' && rate % 30 === 0 ? rate / 15 : 0;
  const minutes = labels.hours * 60 + labels.minutes;
  const number = (minutes * 60 + labels.seconds) * rate + labels.frames;
  const counted = number - dropped * (minutes - Math.floor(minutes / 10)) + frames;
  const perTenMinutes = 600 * rate - 9 * dropped;
  const perDay = 144 * perTenMinutes;
  const sum = ((counted % perDay) + perDay) % perDay;
  const rest = sum % perTenMinutes;
  // The first minute of ten has all its numbers.
  const minutesOfTen = rest < 60 * rate ? 0 : 1 + Math.floor((rest - 60 * rate) / (60 * rate - dropped));
  const label = sum + dropped * (9 * Math.floor(sum / perTenMinutes) + minutesOfTen);
  const total = Math.floor(label / rate);
  return write({
    hours: Math.floor(total / 3600),
    minutes: Math.floor(total / 60) % 60,
    seconds: total % 60,
    frames: label % rate,
    separator,
  });
}

/** The time code of the same moment at another frame rate. Drop frame exists at 29.97 and 59.94 only. */
export function convertTimecode(timecode: string, { from, to }: { from: number; to: number }): string {
  const [source, target] = [Math.round(from), Math.round(to)];
  if (source === target && isNtsc(from) === isNtsc(to)) return timecode;
  const labels = read(timecode);
  const frames = Math.min(target - 1, Math.round((labels.frames * target) / source));
  const separator = isNtsc(to) && target % 30 === 0 ? labels.separator : ':';
  return write({ ...labels, frames, separator });
}

function isNtsc(fps: number): boolean {
  return Math.abs(fps - Math.round(fps)) > 0.01;
}

function read(timecode: string): Labels {
  const [hours = 0, minutes = 0, seconds = 0, frames = 0] = timecode.split(/[:;.]/).map(Number);
  return { hours, minutes, seconds, frames, separator: timecode.at(-3) ?? ':' };
}

function write({ hours, minutes, seconds, frames, separator }: Labels): string {
  const [hh, mm, ss, ff] = [hours, minutes, seconds, frames].map((value) => String(value).padStart(2, '0'));
  return `${hh}:${mm}:${ss}${separator}${ff}`;
}
