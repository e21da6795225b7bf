import { createSerializationAdapter } from '@tanstack/react-router'
import { createStart } from '@tanstack/react-start'
import { ApiError, fieldsOf } from './api/api-error.ts'

/** Without it an error that a page is rendered with on the server would reach the browser without its code. */
const apiErrors = createSerializationAdapter({
  key: 'ApiError',
  test: (value): value is ApiError => value instanceof ApiError,
  toSerializable: fieldsOf,
  fromSerializable: (fault) => new ApiError(fault),
})

export const startInstance = createStart(() => ({ serializationAdapters: [apiErrors] }))
