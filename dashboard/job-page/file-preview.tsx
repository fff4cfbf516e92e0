import { Text } from '@mantine/core';
import type { JobResource } from '../../core/api/job-resource.ts';
import classes from './result.module.css';
import { useStableUrl } from './use-stable-url.ts';

type File = NonNullable<JobResource['output_files']>[string];

/** A file in a box of its own shape, so that nothing moves when it arrives. */
export function FilePreview({ file }: { file: File }) {
  const { url, failed, onError } = useStableUrl(file.storage_url);
  if (failed) {
    return (
      <Text size="sm" c="dimmed">
        It cannot be shown here: this browser may not know {file.file_format} with{' '}
        {file.codec ?? 'this codec'}, or the storage cannot be reached. Download the file to see it.
      </Text>
    );
  }
  if (file.file_type === 'audio') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: there are no captions of what users encode.
      <audio controls preload="metadata" src={url} onError={onError} style={{ width: '100%' }} />
    );
  }
  return (
    <div className={classes.stage} style={{ aspectRatio: `${file.width ?? 16} / ${file.height ?? 9}` }}>
      {file.file_type === 'image' ? (
        <img src={url} alt={file.filename} onError={onError} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: there are no captions of what users encode.
        <video controls playsInline preload="metadata" src={url} onError={onError} aria-label="Result" />
      )}
    </div>
  );
}
