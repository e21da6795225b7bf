import type { Context } from '../../context.ts'
import type { Command, CommandInput } from '../../control/commands.ts'
import {
  authorshipOf,
  CHANGE_OPTIONS,
  inWords,
  numberOf,
  type Reporter,
  reportChange,
  reportHistory,
  STOREFRONT_OPTION,
  storefrontOf,
} from './document-commands.ts'
import type { Changed, HistoryEntry } from './document-editor.ts'
import type { Authorship, HistoryPage } from './documents.service.ts'

/** What a command about a document of a storefront works on. */
export interface Target {
  storefrontId: number
  /** The revision that the command goes out from. */
  base: number
  authorship: Authorship
}

/** A kind of documents, as the makers of its commands have to know it. */
export interface DocumentKind<Subject> {
  /** What is typed first, where a storefront has more than one document of the kind. */
  subject?: Command['arguments']
  /** Which document is meant. @throws CommandError when there is none */
  subjectOf(input: CommandInput): Subject
  revisionOf(context: Context, storefrontId: number, subject: Subject): number
  /** The command that takes the last change back. */
  undo(subject: Subject): string
}

type Signature = Pick<Command, 'name' | 'summary' | 'arguments'>

/** The makers of a kind's commands: what they show or do is all that is left to say. */
export function commandsOf<Subject>({ subject = [], subjectOf, revisionOf, undo }: DocumentKind<Subject>) {
  type Chosen = Target & { subject: Subject }

  function targetOf(context: Context, input: CommandInput): Chosen {
    const { id } = storefrontOf(context, input)
    const chosen = subjectOf(input)
    return {
      storefrontId: id,
      subject: chosen,
      base: revisionOf(context, id, chosen),
      authorship: authorshipOf(input),
    }
  }

  /** What was typed after the subject. */
  const rest = (input: CommandInput) => input.arguments.slice(subject.length)

  /** Makes a command that shows something. */
  function reading(
    command: Signature & Pick<Command, 'options'>,
    show: (context: Context, target: Chosen, input: CommandInput, report: Reporter) => Promise<void> | void,
  ): Command {
    return {
      ...command,
      arguments: [...subject, ...command.arguments],
      options: [STOREFRONT_OPTION, ...(command.options ?? [])],
      run: async (context, input, { report }) =>
        await inWords(
          async () =>
            await show(context, targetOf(context, input), { ...input, arguments: rest(input) }, report),
        ),
    }
  }

  return {
    reading,

    /** Makes a command that changes something, and says what has changed. */
    changing: (
      command: Signature,
      change: (context: Context, target: Chosen, written: string[]) => Promise<Changed>,
    ): Command => ({
      ...command,
      arguments: [...subject, ...command.arguments],
      options: CHANGE_OPTIONS,
      run: async (context, input, { report }) =>
        await inWords(async () => {
          const target = targetOf(context, input)
          reportChange(await change(context, target, rest(input)), undo(target.subject), report)
        }),
    }),

    /** Makes the command that shows who changed what, the newest last. */
    history: (
      command: Omit<Signature, 'arguments'>,
      entries: (context: Context, target: Chosen, page: HistoryPage) => Promise<HistoryEntry[]>,
    ): Command =>
      reading(
        {
          ...command,
          arguments: [{ name: 'count', summary: 'how many changes; 20 by default', optional: true }],
        },
        async (context, target, { arguments: [count = '20'] }, report) => {
          const page = { count: Math.min(numberOf(count), 1000) }
          reportHistory(await entries(context, target, page), report)
        },
      ),
  }
}

/** The two revisions between which a command shows the differences. */
export const REVISIONS: Command['arguments'] = [
  { name: 'from', summary: 'a revision; 0 by default', optional: true },
  { name: 'to', summary: 'a revision; the newest by default', optional: true },
]
