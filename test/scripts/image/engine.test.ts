import { expect, it } from 'vitest';
import { findEngine } from '../../../scripts/image/engine.ts';

it('says what to install where no engine answers', async () => {
  await expect(findEngine('containerd')).rejects.toThrow(
    'No container engine is available (tried "containerd"). Start Docker or install buildah.',
  );
});
