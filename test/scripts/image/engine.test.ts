import { expect, it } from 'vitest';
import { findEngine } from '../../../scripts/image/engine.ts';

it('a missing engine is reported with what to install', async () => {
  await expect(findEngine('containerd')).rejects.toThrow(
    'No container engine is available (tried "containerd"). Start Docker or install buildah.',
  );
});
