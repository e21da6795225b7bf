import type { Context } from '../context.ts'
import type { DatabaseError } from '../database/connection.ts'
import type { Settings } from '../env.ts'

/** Progress of a long command. */
export interface Report {
  /** A line for the person at the terminal. */
  text: string
  /** Percentage from 0 to 100; omitted if unknown. */
  percent?: number
  secondsLeft?: number
}

/**
 * A command of `ondine`. If the service runs, it executes the command. Otherwise the command's own process opens the
 * data and executes the command.
 */
export interface Command {
  name: string
  /**
   * The help shows an argument as `<folder>`, or as `[folder]` when it is optional. A path (`isPath`) is made absolute
   * in the process that the user started, because the command may run in another process with another working folder.
   */
  arguments: { name: string; summary: string; isPath?: true; optional?: true }[]
  /** `environment` names a variable of the caller's shell that replaces an omitted option. */
  options?: { flags: string; summary: string; default?: string; isPath?: true; environment?: string }[]
  summary: string
  /** Runs the command. `signal` interrupts it, and an interrupted command can be run again. */
  run(context: Context, args: CommandInput, control: CommandControl): Promise<void>
  /** Runs what is possible if the database cannot be opened. Commands without this function fail then. */
  runWithoutDatabase?(settings: Settings, fault: DatabaseError, control: CommandControl): Promise<void>
}

/** Interrupts a command, and receives its output. */
export interface CommandControl {
  signal: AbortSignal
  report(report: Report): void
}

export interface CommandInput {
  arguments: string[]
  options: Record<string, string | boolean | undefined>
}

/** Thrown when a command cannot be carried out. The message tells the user what to do. */
export class CommandError extends Error {
  override name = 'CommandError'
}
