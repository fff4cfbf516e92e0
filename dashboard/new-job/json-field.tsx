import { JsonInput } from '@mantine/core';
import { type FieldProps, inputWrapperOrder } from './field-props.ts';
import { parseJson } from './parameter-value.ts';

/** For what has no control of its own: objects and lists of them, as JSON. */
export function JsonField({ parameter, value, error, onChange }: FieldProps) {
  const { label, description, defaultValue: fallback, required } = parameter;
  return (
    <JsonInput
      label={label}
      description={description}
      error={error}
      required={required}
      inputWrapperOrder={inputWrapperOrder}
      autosize
      minRows={2}
      formatOnBlur
      defaultValue={value === undefined ? '' : JSON.stringify(value)}
      placeholder={fallback === undefined ? 'Automatic' : JSON.stringify(fallback)}
      validationError="This is not JSON yet"
      onChange={(text) => onChange(parseJson(text))}
    />
  );
}
