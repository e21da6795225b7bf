import type { Task } from './task.ts'

/** A film, an episode or a trailer to make. */
export type FilmTask = Extract<Task, { seconds: number }>

/** Names a film, an episode or a trailer: `la-houle film`, `le-metier episode 0`. */
export function filmKey(task: { kind: string; titleId: string; episode?: number }): string {
  return [task.titleId, task.kind, ...(task.episode === undefined ? [] : [task.episode])].join(' ')
}

/** These come first: a film, an episode, and something for each channel to play. */
export const FIRST = ['la-houle film', 'le-metier episode 0', 'les-decoupages film', 'interferences film']

/** The order in which films are made: those that show what the service can do, films and episodes, trailers. */
export function rankOf(task: { kind: string; titleId: string; episode?: number }): number {
  const first = FIRST.indexOf(filmKey(task))
  if (first !== -1) return first
  return task.kind === 'trailer' ? FIRST.length + 1 : FIRST.length
}
