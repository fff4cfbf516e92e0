import Hls from 'hls.js';
import type { Preview } from './preview.ts';

type Parts = { stream: Hls | undefined; preview: Preview | undefined };

const find = <Found extends HTMLElement>(id: string) => document.getElementById(id) as Found;

const seekSeconds = 5;
const hideAfterMs = 2_500;

/** Connects the controls of the page, and its keys, with the video. */
export function controlVideo(video: HTMLVideoElement, { stream, preview }: Parts): void {
  const [play, seek, mute] = [find('play'), find<HTMLInputElement>('seek'), find('mute')];
  const toggle = () => void (video.paused ? video.play().catch(() => undefined) : video.pause());
  const toggleMute = () => {
    video.muted = !video.muted;
  };
  const toggleFullscreen = () =>
    void (document.fullscreenElement ? document.exitFullscreen() : document.documentElement.requestFullscreen());
  const moveTo = (seconds: number) => {
    video.currentTime = Math.min(Math.max(0, seconds), video.duration || 0);
  };
  video.addEventListener('click', toggle);
  play.addEventListener('click', toggle);
  mute.addEventListener('click', toggleMute);
  find('fullscreen').addEventListener('click', toggleFullscreen);
  seek.addEventListener('input', () => moveTo(seek.valueAsNumber));

  const show = () => {
    label(play, video.paused ? ['▶', 'Play'] : ['❚❚', 'Pause']);
    label(mute, video.muted ? ['🔇', 'Unmute'] : ['🔊', 'Mute']);
    seek.max = String(video.duration || 0);
    seek.value = String(video.currentTime);
    const text = `${clock(video.currentTime)} / ${clock(video.duration || 0)}`;
    find('time').textContent = text;
    seek.setAttribute('aria-valuetext', text);
  };
  for (const event of ['play', 'pause', 'timeupdate', 'durationchange', 'volumechange']) {
    video.addEventListener(event, show);
  }
  const captions = trackMenus(video, stream);
  const keys = new Map([
    [' ', toggle],
    ['k', toggle],
    ['m', toggleMute],
    ['f', toggleFullscreen],
    ['c', captions],
    ['ArrowLeft', () => moveTo(video.currentTime - seekSeconds)],
    ['ArrowRight', () => moveTo(video.currentTime + seekSeconds)],
    ['Home', () => moveTo(0)],
    ['End', () => moveTo(video.duration)],
  ]);
  addEventListener('keydown', (event) => {
    const { key, altKey, ctrlKey, metaKey, target } = event;
    if (altKey || ctrlKey || metaKey || target instanceof HTMLSelectElement) return;
    const act = key === ' ' && target instanceof HTMLButtonElement ? undefined : keys.get(key);
    if (act === undefined) return;
    event.preventDefault();
    act();
  });
  if (preview !== undefined) showPreviews(video, seek, preview);
  hideWhileWatching(video);
}

/** The menus of captions, audio and quality, each shown with a choice. Returns what turns captions on and off. */
function trackMenus(video: HTMLVideoElement, stream: Hls | undefined): () => void {
  const menus = { captions: menu('captions'), language: menu('language'), quality: menu('quality') };
  if (stream === undefined) {
    const tracks = () => [...video.textTracks];
    const list = () =>
      menus.captions(['Captions off', ...tracks().map(nameOf)], 0, (index) => {
        for (const [number, track] of tracks().entries()) track.mode = number === index - 1 ? 'showing' : 'disabled';
      });
    video.textTracks.addEventListener('addtrack', list);
    return () => choose('captions', find<HTMLSelectElement>('captions').selectedIndex > 0 ? 0 : 1);
  }
  stream.on(Hls.Events.MANIFEST_PARSED, (_, { levels }) => {
    const sizes = levels.map(({ height, bitrate }) => `${height}p ${Math.round(bitrate / 1000)} kbit/s`);
    if (levels.length > 1)
      menus.quality(['Auto', ...sizes], 0, (index) => {
        stream.nextLevel = index - 1;
      });
  });
  stream.on(Hls.Events.AUDIO_TRACKS_UPDATED, (_, { audioTracks }) => {
    const select = (index: number) => {
      stream.audioTrack = index;
    };
    if (audioTracks.length > 1)
      menus.language(
        audioTracks.map(({ name }) => name),
        Math.max(0, stream.audioTrack),
        select,
      );
  });
  stream.on(Hls.Events.SUBTITLE_TRACKS_UPDATED, (_, { subtitleTracks }) => {
    const select = (index: number) => {
      stream.subtitleTrack = index - 1;
      stream.subtitleDisplay = index > 0;
    };
    const names = ['Captions off', ...subtitleTracks.map(({ name }) => name)];
    if (subtitleTracks.length > 0) menus.captions(names, stream.subtitleTrack + 1, select);
  });
  return () => choose('captions', find<HTMLSelectElement>('captions').selectedIndex > 0 ? 0 : 1);
}

/** Fills a select element with choices. */
function menu(id: string) {
  const element = find<HTMLSelectElement>(id);
  let onSelect: (index: number) => void = () => undefined;
  element.addEventListener('change', () => onSelect(element.selectedIndex));
  return (names: readonly string[], selected: number, select: (index: number) => void) => {
    element.replaceChildren(...names.map((name) => new Option(name)));
    element.selectedIndex = selected;
    element.hidden = false;
    onSelect = select;
  };
}

function choose(id: string, index: number): void {
  const element = find<HTMLSelectElement>(id);
  if (index >= element.options.length) return;
  element.selectedIndex = index;
  element.dispatchEvent(new Event('change'));
}

/** Shows the thumbnail of the time under the pointer above the seek bar. */
function showPreviews(video: HTMLVideoElement, seek: HTMLElement, preview: Preview): void {
  const element = find('preview');
  seek.addEventListener('pointermove', ({ clientX }) => {
    const { left, width } = seek.getBoundingClientRect();
    preview(element, ((clientX - left) / width) * (video.duration || 0));
    element.style.left = `${Math.min(Math.max(0, clientX - element.offsetWidth / 2), innerWidth - element.offsetWidth)}px`;
  });
  seek.addEventListener('pointerleave', () => {
    element.hidden = true;
  });
}

/** Hides the controls of a playing video while nobody moves. */
function hideWhileWatching(video: HTMLVideoElement): void {
  let timer: ReturnType<typeof setTimeout>;
  const wake = () => {
    document.body.classList.remove('watching');
    clearTimeout(timer);
    timer = setTimeout(() => document.body.classList.toggle('watching', !video.paused), hideAfterMs);
  };
  for (const event of ['pointermove', 'keydown', 'play', 'pause']) addEventListener(event, wake, true);
}

function label(element: HTMLElement, [text, name]: [string, string]): void {
  element.textContent = text;
  element.setAttribute('aria-label', name);
}

function nameOf({ label: name, language }: TextTrack): string {
  return name || language || 'Captions';
}

/** Minutes and seconds, with hours if there are any. */
function clock(seconds: number): string {
  const whole = Math.floor(seconds);
  const [hours, rest] = [Math.floor(whole / 3600), `${Math.floor((whole % 3600) / 60)}`];
  const end = String(whole % 60).padStart(2, '0');
  return hours > 0 ? `${hours}:${rest.padStart(2, '0')}:${end}` : `${rest}:${end}`;
}
