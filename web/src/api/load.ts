import { notFound } from '@tanstack/react-router'
import { ApiError } from './api-error.ts'
import { setStatus } from './status.ts'

const NOT_FOUND = 404

/**
 * Waits for what a page cannot be without. What does not exist makes the page a 404; another refusal gives the page
 * the status of that refusal (decision 41).
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
