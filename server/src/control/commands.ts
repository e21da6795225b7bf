import type { Context } from '../context.ts'

/** What a long command says while it works. */
export interface Report {
  /** A line for the person who waits. */
  text: string
  /** From 0 to 100, where it is known. */
  percent?: number
  secondsLeft?: number
}

/** A command of `ondine`, which works on the running service, or on its data when none runs. */
export interface Command {
  name: string
  /** As the help shows them: `<folder>`, or `[folder]` when it may be left out. A path is made absolute where the command was typed, since it may run elsewhere. */
  arguments: { name: string; summary: string; isPath?: true; optional?: true }[]
  /** `environment` names a variable of the shell that the command is typed in: it stands in for an option that is left out. */
  options?: { flags: string; summary: string; default?: string; isPath?: true; environment?: string }[]
  summary: string
  /**
   * Does it. Can be interrupted by `signal`, and run again.
   *
   * @throws CommandError with a message that says what to do.
   */
  run(
    context: Context,
    args: CommandInput,
    control: { signal: AbortSignal; report(report: Report): void },
  ): Promise<void>
}

export interface CommandInput {
  arguments: string[]
  options: Record<string, string | boolean | undefined>
}

/** A command that cannot be done, with what to do about it. */
export class CommandError extends Error {
  override name = 'CommandError'
}
