import { Text } from '@mantine/core';
import { useState } from 'react';
import type { JobResource } from '../../core/api/job-resource.ts';
import classes from './result.module.css';

type File = NonNullable<JobResource['output_files']>[string];

/** A file in a box of its own shape, so that nothing moves when it arrives. */
export function Preview({ file }: { file: File }) {
  const [failed, setFailed] = useState(false);
  if (failed) {
    return (
      <Text size="sm" c="dimmed">
        This browser cannot show {file.file_format} with {file.codec ?? 'this codec'}. Download the file to
        see it.
      </Text>
    );
  }
  const onError = () => setFailed(true);
  if (file.file_type === 'audio') {
    return (
      // biome-ignore lint/a11y/useMediaCaption: there are no captions of what users encode.
      <audio controls preload="metadata" src={file.storage_url} onError={onError} style={{ width: '100%' }} />
    );
  }
  return (
    <div className={classes.stage} style={{ aspectRatio: `${file.width ?? 16} / ${file.height ?? 9}` }}>
      {file.file_type === 'image' ? (
        <img src={file.storage_url} alt={file.filename} onError={onError} />
      ) : (
        // biome-ignore lint/a11y/useMediaCaption: there are no captions of what users encode.
        <video
          controls
          playsInline
          preload="metadata"
          src={file.storage_url}
          onError={onError}
          aria-label="Result"
        />
      )}
    </div>
  );
}
