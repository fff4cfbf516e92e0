import type { Size } from '@media-jobs/video/media';

const minRadius = 8;
const maxRadius = 220;

/**
 * An RGB image, 3 bytes per pixel, of overlapping textured disks whose radii have a density of r^-3 (a dead leaves
 * model). Its edges, occlusions and spectrum are those of photographs, unlike those of a test pattern.
 * `random` returns values from 0 to 1.
 */
export function deadLeaves({ width, height }: Size, random: () => number): Uint8Array {
  const image = new Uint8Array(width * height * 3).fill(128);
  const covered = new Uint8Array(width * height);
  const texture = fractalNoise(random);
  for (let open = width * height; open > width * height * 0.002; ) {
    const radius = leafRadius(random());
    const [centerX, centerY] = [random() * width, random() * height];
    const shift = Math.floor(random() * texture.length);
    const contrast = 10 + 50 * random();
    const light = 30 + 190 * random();
    const color = [light + 40 * (random() - 0.5), light, light + 60 * (random() - 0.5)];
    const [top, bottom] = [Math.max(0, centerY - radius), Math.min(height - 1, centerY + radius)];
    for (let y = Math.ceil(top); y <= bottom; y++) {
      const half = Math.sqrt(radius ** 2 - (y - centerY) ** 2);
      const right = Math.min(width - 1, centerX + half);
      for (let x = Math.max(0, Math.ceil(centerX - half)); x <= right; x++) {
        const pixel = y * width + x;
        if (covered[pixel]) continue;
        covered[pixel] = 1;
        open--;
        const grain = contrast * (texture[(shift + y * textureSide + x) % texture.length] ?? 0);
        for (const [channel, level] of color.entries()) {
          image[pixel * 3 + channel] = Math.min(255, Math.max(0, level + grain));
        }
      }
    }
  }
  return image;
}

/** Inverse of the distribution function of a density of r^-3. */
function leafRadius(share: number): number {
  const [low, high] = [minRadius ** -2, maxRadius ** -2];
  return (low - share * (low - high)) ** -0.5;
}

const textureSide = 1024;

/** A square of noise from about -1 to 1 whose amplitude halves with each octave of frequency. */
function fractalNoise(random: () => number): Float32Array {
  const noise = new Float32Array(textureSide ** 2);
  for (let cell = 64; cell >= 1; cell /= 2) {
    const cells = textureSide / cell;
    const values = Float32Array.from({ length: cells ** 2 }, () => random() - 0.5);
    const amplitude = cell / 64;
    for (let y = 0; y < textureSide; y++) {
      for (let x = 0; x < textureSide; x++) {
        const index = y * textureSide + x;
        noise[index] = (noise[index] ?? 0) + amplitude * interpolate(values, cells, x / cell, y / cell);
      }
    }
  }
  return noise;
}

/** The value between the four nearest of a grid that repeats. */
function interpolate(values: Float32Array, side: number, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [right, bottom] = [(left + 1) % side, (top + 1) % side];
  const at = (column: number, row: number) => values[row * side + column] ?? 0;
  const [across, down] = [x - left, y - top];
  const upper = at(left, top) * (1 - across) + at(right, top) * across;
  const lower = at(left, bottom) * (1 - across) + at(right, bottom) * across;
  return upper * (1 - down) + lower * down;
}
