import { createSerializationAdapter } from '@tanstack/react-router'
import { createStart } from '@tanstack/react-start'
import { ApiError, fieldsOf } from './api/api-error.ts'

/** Keeps the code of an ApiError that occurs during rendering on the server when it is sent to the browser. */
const apiErrors = createSerializationAdapter({
  key: 'ApiError',
  test: (value): value is ApiError => value instanceof ApiError,
  toSerializable: fieldsOf,
  fromSerializable: (fault) => new ApiError(fault),
})

export const startInstance = createStart(() => ({ serializationAdapters: [apiErrors] }))
