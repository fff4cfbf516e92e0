type Stream = { url: string; onError: () => void };

/** Lets a video element play an HLS playlist, by a player that is loaded for this alone. Call what it returns to stop. */
export function attachHlsPlayer(video: HTMLVideoElement, { url, onError }: Stream): () => void {
  const left = new AbortController();
  void import('hls.js').then(({ default: Hls }) => {
    if (left.signal.aborted) return;
    if (!Hls.isSupported()) {
      // Such browsers play it themselves.
      video.addEventListener('error', onError, { signal: left.signal });
      video.src = url;
      return;
    }
    // A worker would be made of a blob, which the security policy forbids.
    const player = new Hls({ enableWorker: false });
    let hasRecovered = false;
    player.on(Hls.Events.ERROR, (_, { fatal, type }) => {
      if (!fatal) return;
      if (type !== Hls.ErrorTypes.MEDIA_ERROR || hasRecovered) return onError();
      hasRecovered = true;
      player.recoverMediaError();
    });
    player.loadSource(url);
    player.attachMedia(video);
    left.signal.addEventListener('abort', () => player.destroy());
  }, onError);
  return () => left.abort();
}
