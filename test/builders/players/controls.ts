import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A third-party player, and a script that starts it on `video` and `url` and defines `control`, the same for all. */
export type PlayerScript = { library: string; start: string };

const require = createRequire(import.meta.url);

/** A short buffer, so that a seek needs segments that were not loaded before. */
const bufferSeconds = 4;

export const hlsJs: PlayerScript = {
  library: readFileSync(require.resolve('hls.js'), 'utf8'),
  start: `
    const errors = [];
    // Its worker is made from a blob: URL.
    const player = new Hls({ enableWorker: false, maxBufferLength: ${bufferSeconds}, maxMaxBufferLength: ${bufferSeconds} });
    player.on(Hls.Events.ERROR, (_, { fatal, details }) => fatal && errors.push(details));
    player.loadSource(url);
    player.attachMedia(video);
    globalThis.control = {
      errors,
      heights: () => player.levels.map(({ height }) => height),
      chooseHeight: (wanted) => { player.currentLevel = player.levels.findIndex(({ height }) => height === wanted); },
      languages: () => player.audioTracks.map(({ lang }) => lang),
      chooseLanguage: (wanted) => { player.audioTrack = player.audioTracks.findIndex(({ lang }) => lang === wanted); },
      showSubtitles: () => { player.subtitleTrack = 0; player.subtitleDisplay = true; },
    };`,
};

export const shaka: PlayerScript = {
  library: readFileSync(require.resolve('shaka-player'), 'utf8'),
  start: `
    const errors = [];
    const player = new shaka.Player();
    player.addEventListener('error', ({ detail }) => errors.push(detail.code));
    player.configure({ streaming: { bufferingGoal: ${bufferSeconds}, bufferBehind: 1 } });
    player.attach(video).then(() => player.load(url)).catch(({ code, message }) => errors.push(code ?? message));
    const active = () => player.getVariantTracks().find((track) => track.active);
    globalThis.control = {
      errors,
      heights: () => [...new Set(player.getVariantTracks().map(({ height }) => height))].filter(Boolean),
      chooseHeight: (wanted) => {
        player.configure({ abr: { enabled: false } });
        const tracks = player.getVariantTracks();
        player.selectVariantTrack(
          tracks.find(({ height, language }) => height === wanted && language === active().language), true);
      },
      languages: () => [...new Set(player.getVariantTracks().map(({ language }) => language))],
      chooseLanguage: (wanted) => {
        const tracks = player.getVariantTracks();
        player.selectVariantTrack(
          tracks.find(({ height, language }) => height === active().height && language === wanted), true);
      },
      showSubtitles: () => player.selectTextTrack(player.getTextTracks()[0]),
    };`,
};

export const dashJs: PlayerScript = {
  library: readFileSync(require.resolve('dashjs'), 'utf8'),
  start: `
    const errors = [];
    const player = dashjs.MediaPlayer().create();
    player.on('error', ({ error }) => errors.push(error.code));
    player.updateSettings({ streaming: {
      abr: { autoSwitchBitrate: { video: false } },
      buffer: { fastSwitchEnabled: true, bufferTimeDefault: ${bufferSeconds}, bufferToKeep: 1 },
    } });
    player.initialize(video, url, false);
    globalThis.control = {
      errors,
      heights: () => player.getRepresentationsByType('video').map(({ height }) => height),
      chooseHeight: (wanted) => {
        const { id } = player.getRepresentationsByType('video').find(({ height }) => height === wanted);
        player.setRepresentationForTypeById('video', id, true);
      },
      languages: () => player.getTracksFor('audio').map(({ lang }) => lang),
      chooseLanguage: (wanted) =>
        player.setCurrentTrack(player.getTracksFor('audio').find(({ lang }) => lang === wanted)),
      showSubtitles: () => { player.enableText(true); player.setTextTrack(0); },
    };`,
};

export const videoJs: PlayerScript = {
  library: readFileSync(require.resolve('video.js/dist/video.min.js'), 'utf8'),
  start: `
    const errors = [];
    Object.assign(videojs.Vhs, { GOAL_BUFFER_LENGTH: ${bufferSeconds}, MAX_GOAL_BUFFER_LENGTH: ${bufferSeconds} });
    // Chromium has an HLS player too.
    const player = videojs(video, { html5: { vhs: { overrideNative: true }, nativeAudioTracks: false } });
    player.on('error', () => errors.push(player.error().message));
    player.src({ src: url, type: 'application/vnd.apple.mpegurl' });
    const audioTracks = () => Array.from(player.audioTracks());
    globalThis.control = {
      errors,
      heights: () => Array.from(player.qualityLevels(), ({ height }) => height),
      chooseHeight: (wanted) => {
        for (const level of Array.from(player.qualityLevels())) level.enabled = level.height === wanted;
      },
      languages: () => audioTracks().map(({ language }) => language),
      chooseLanguage: (wanted) => { audioTracks().find(({ language }) => language === wanted).enabled = true; },
      // Its text tracks are not those of the element.
      textTracks: player.textTracks(),
      showSubtitles: () => {
        Array.from(player.textTracks()).find(({ kind }) => kind === 'subtitles').mode = 'showing';
      },
    };`,
};
