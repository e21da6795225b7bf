import { aboveLevel, LEVELLED, type Levelled } from '@ondine/contract/above-level'
import type { InputOf } from '@ondine/contract/operation'
import type { QueryClient } from '@tanstack/react-query'
import { isNotFound, notFound } from '@tanstack/react-router'
import { load } from '../../api/load.ts'
import { query } from '../../api/query.ts'
import { isChildWatching } from '../accounts/session.ts'

/** What a page is about. */
type Subject = InputOf<typeof aboveLevel>

/** Like {@link load}, for what the page is about: a child learns whether its level is why it gets a 404 (docs/decisions/0045). */
export async function loadSubject<T>(queries: QueryClient, subject: Subject, answer: Promise<T>): Promise<T> {
  try {
    return await load(answer)
  } catch (error) {
    if (isNotFound(error)) throw await missing(queries, subject)
    throw error
  }
}

/** The 404 of a page: what `aboveLevelOf` reads tells a child that it is too young, not that there is nothing. */
export async function missing(queries: QueryClient, subject: Subject): Promise<ReturnType<typeof notFound>> {
  return notFound((await isAboveLevel(queries, subject)) ? { data: subject.contentType } : {})
}

/** Throws the 404 of what is above the child's level, for a page that says itself what is missing otherwise. */
export async function refuseAboveLevel(queries: QueryClient, subject: Subject): Promise<void> {
  if (await isAboveLevel(queries, subject)) throw notFound({ data: subject.contentType })
}

async function isAboveLevel(queries: QueryClient, subject: Subject): Promise<boolean> {
  return isChildWatching(queries) && (await queries.ensureQueryData(query(aboveLevel, subject))).above
}

/** What of a page's kind is above the child's level, by the data of its 404; undefined for an address that leads nowhere. */
export function aboveLevelOf(data: unknown): Levelled | undefined {
  return LEVELLED.find((each) => each === data)
}
