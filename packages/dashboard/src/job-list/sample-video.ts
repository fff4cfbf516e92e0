const size = { width: 640, height: 360 };
const seconds = 2;
const framesPerSecond = 25;

/** What a browser may be able to record, the most compatible first. */
const mimeTypes = ['video/mp4;codecs=avc1.42E01E', 'video/webm;codecs=vp8'];

/**
 * Records a clip of two seconds that this browser draws, so that a first job needs no file.
 * @throws Error if the browser cannot record
 */
export async function recordSampleVideo(): Promise<File> {
  const canvas = Object.assign(document.createElement('canvas'), size);
  const context = canvas.getContext('2d');
  // Some browsers have no recorder.
  const mimeType = mimeTypes.find((each) => globalThis.MediaRecorder?.isTypeSupported(each));
  if (context === null || mimeType === undefined) {
    throw new Error('This browser cannot record a video. Create a job with your own file instead.');
  }
  const [type = '', extension] = /^video\/(\w+)/.exec(mimeType) ?? [];
  const stream = canvas.captureStream(framesPerSecond);
  const recording = new MediaRecorder(stream, { mimeType, videoBitsPerSecond: 4_000_000 });
  const parts: Blob[] = [];
  recording.ondataavailable = ({ data }) => parts.push(data);
  const stopped = new Promise((resolve, reject) => {
    recording.onstop = resolve;
    recording.onerror = () => reject(new Error('The browser stopped the recording. Try again.'));
  });
  recording.start();
  await animate((share) => drawFrame(context, share));
  recording.stop();
  await stopped;
  return new File(parts, `sample.${extension}`, { type });
}

/** Calls `draw` before each repaint, with the share of the clip's time that has passed. */
function animate(draw: (share: number) => void): Promise<void> {
  return new Promise((resolve) => {
    let startedAt: number | undefined;
    const step = (now: number) => {
      startedAt ??= now;
      const share = (now - startedAt) / (seconds * 1_000);
      draw(Math.min(1, share));
      if (share < 1) requestAnimationFrame(step);
      else resolve();
    };
    requestAnimationFrame(step);
  });
}

/** A disc that crosses a background whose hue turns. */
function drawFrame(context: CanvasRenderingContext2D, share: number): void {
  const { width, height } = size;
  const background = context.createLinearGradient(0, 0, width, height);
  background.addColorStop(0, `hsl(${200 + 120 * share} 70% 55%)`);
  background.addColorStop(1, `hsl(${260 + 120 * share} 70% 25%)`);
  context.fillStyle = background;
  context.fillRect(0, 0, width, height);
  context.fillStyle = 'white';
  context.beginPath();
  context.arc(width * (0.15 + 0.7 * share), height / 2, 60, 0, 2 * Math.PI);
  context.fill();
}
