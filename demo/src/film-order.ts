import type { Task } from './task.ts'

/** A film, an episode or a trailer to make. */
export type FilmTask = Extract<Task, { seconds: number }>

/** Names a film, an episode or a trailer: `la-houle film`, `le-metier episode 0`. */
export function filmKey(task: { kind: string; titleId: string; episode?: number }): string {
  return [task.titleId, task.kind, ...(task.episode === undefined ? [] : [task.episode])].join(' ')
}

/** Films that are made first: a film, an episode, and one film for each channel to play. */
export const FIRST = ['la-houle film', 'le-metier episode 0', 'les-decoupages film', 'interferences film']

/** Returns the rank of a film in the order of work: first the films of `FIRST`, then films and episodes, then trailers. */
export function rankOf(task: { kind: string; titleId: string; episode?: number }): number {
  const first = FIRST.indexOf(filmKey(task))
  if (first !== -1) return first
  return task.kind === 'trailer' ? FIRST.length + 1 : FIRST.length
}
