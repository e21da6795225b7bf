import type { Task } from './task.ts'

/** The task of making a film, an episode or a trailer. */
export type FilmTask = Extract<Task, { seconds: number }>

/** Returns the key of a film, an episode or a trailer: `la-houle film`, `le-metier episode 0`. */
export function filmKey(task: { kind: string; titleId: string; episode?: number }): string {
  return [task.titleId, task.kind, ...(task.episode === undefined ? [] : [task.episode])].join(' ')
}

/** Keys of the films that are made first: a film, an episode, and one film for each channel. */
export const FIRST = ['la-houle film', 'le-metier episode 0', 'les-decoupages film', 'interferences film']

/**
 * Returns the rank of a film in the order of work: first `FIRST`, then other films and episodes, then trailers.
 */
export function rankOf(task: { kind: string; titleId: string; episode?: number }): number {
  const first = FIRST.indexOf(filmKey(task))
  if (first !== -1) return first
  return task.kind === 'trailer' ? FIRST.length + 1 : FIRST.length
}
