import { aboveLevel, LEVELLED, type Levelled } from '@ondine/contract/above-level'
import type { InputOf } from '@ondine/contract/operation'
import type { QueryClient } from '@tanstack/react-query'
import { isNotFound, notFound } from '@tanstack/react-router'
import { load } from '../../../api/load.ts'
import { query } from '../../../api/query.ts'
import { isChildWatching } from '../../ground/session/session.ts'

/** The content that a page shows, by type and id. */
type Subject = InputOf<typeof aboveLevel>

/**
 * Waits for the data of a page's subject, like {@link load}. For a child, a 404 contains whether the child's level
 * is the reason (docs/decisions/0045).
 */
export async function loadSubject<T>(queries: QueryClient, subject: Subject, answer: Promise<T>): Promise<T> {
  try {
    return await load(answer)
  } catch (error) {
    if (isNotFound(error)) throw await missing(queries, subject)
    throw error
  }
}

/**
 * Returns the error 404 for a page. If the subject is above the child's level, the data of the error contains the
 * kind of the subject. `aboveLevelOf` reads this data, so that the page can tell the child the reason.
 */
export async function missing(queries: QueryClient, subject: Subject): Promise<ReturnType<typeof notFound>> {
  return notFound((await isAboveLevel(queries, subject)) ? { data: subject.contentType } : {})
}

/** Throws a 404 if a subject is above the child's level. For pages that handle missing content themselves. */
export async function refuseAboveLevel(queries: QueryClient, subject: Subject): Promise<void> {
  if (await isAboveLevel(queries, subject)) throw notFound({ data: subject.contentType })
}

async function isAboveLevel(queries: QueryClient, subject: Subject): Promise<boolean> {
  return isChildWatching(queries) && (await queries.ensureQueryData(query(aboveLevel, subject))).above
}

/**
 * Returns the kind of the content that is above the child's level, from the data of a 404. Undefined if the 404
 * has another reason.
 */
export function aboveLevelOf(data: unknown): Levelled | undefined {
  return LEVELLED.find((each) => each === data)
}
