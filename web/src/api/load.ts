import { notFound } from '@tanstack/react-router'
import { ApiError } from './api-error.ts'
import { setStatus } from './status.ts'

const NOT_FOUND = 404

/**
 * Awaits data that a page requires. Missing data makes the page a 404. After any other refusal, the page has
 * the status of the refusal (spec 41).
 */
export async function load<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.status === NOT_FOUND) throw notFound()
    setStatus(error.status)
    throw error
  }
}
