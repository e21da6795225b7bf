import type { Context } from '../../context.ts'
import type { Command, CommandInput } from '../../control/commands.ts'
import {
  authorshipOf,
  CHANGE_OPTIONS,
  inWords,
  numberOf,
  type Reporter,
  reportChange,
  reportDifferences,
  reportHistory,
  STOREFRONT_OPTION,
  storefrontOf,
} from './document-commands.ts'
import type { Authorship } from './documents.service.ts'
import type { Changed, EditableDocument } from './editable-document.ts'

/** What a command about a document of a storefront works on. */
export interface Target {
  storefrontId: number
  document: EditableDocument
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
  documentOf(context: Context, storefrontId: number, subject: Subject): EditableDocument
  /** The command that takes the last change back. */
  undo(subject: Subject): string
}

type Named = Pick<Command, 'name' | 'summary'>
type Signature = Named & Pick<Command, 'arguments'>

/** The two revisions between which a command shows the differences. */
const REVISIONS: Command['arguments'] = [
  { name: 'from', summary: 'a revision; 0 by default', optional: true },
  { name: 'to', summary: 'a revision; the newest by default', optional: true },
]

/** The makers of a kind's commands: what they show or do is all that is left to say. */
export function commandsOf<Subject>({ subject = [], subjectOf, documentOf, undo }: DocumentKind<Subject>) {
  type Chosen = Target & { subject: Subject }

  function targetOf(context: Context, input: CommandInput): Chosen {
    const { id } = storefrontOf(context, input)
    const chosen = subjectOf(input)
    const document = documentOf(context, id, chosen)
    return {
      storefrontId: id,
      subject: chosen,
      document,
      base: document.current().revision,
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

  /** Makes a command that changes something, and says what has changed. */
  function changing(
    command: Signature,
    change: (context: Context, target: Chosen, written: string[]) => Promise<Changed>,
  ): Command {
    return {
      ...command,
      arguments: [...subject, ...command.arguments],
      options: CHANGE_OPTIONS,
      run: async (context, input, { report }) =>
        await inWords(async () => {
          const target = targetOf(context, input)
          const { storefront } = input.options
          // Without its name the first storefront's last change would be taken back.
          const where = typeof storefront === 'string' ? ` --storefront ${storefront}` : ''
          reportChange(await change(context, target, rest(input)), undo(target.subject) + where, report)
        }),
    }
  }

  return {
    reading,
    changing,

    /** Makes the command that returns to an earlier revision. `nothing` is what revision 0 stands for. */
    restoring: (command: Named, nothing: string): Command =>
      changing(
        { ...command, arguments: [{ name: 'revision', summary: `its number; 0 for ${nothing}` }] },
        async (_context, { document, base, authorship }, [revision = '']) =>
          await document.restore(base, numberOf(revision), authorship),
      ),

    /** Makes the command that takes the last change back. */
    undoing: (command: Named): Command =>
      changing(
        { ...command, arguments: [] },
        async (_context, { document, base, authorship }) => await document.undo(base, authorship),
      ),

    /** Makes the command that shows what differs between two revisions: 0 and the newest by default. */
    comparing: (command: Named): Command =>
      reading(
        { ...command, arguments: REVISIONS },
        async (_context, { document, base }, { arguments: [from = '0', to] }, report) => {
          const until = to === undefined ? base : numberOf(to)
          reportDifferences(await document.diff(numberOf(from), until), report)
        },
      ),

    /** Makes the command that shows who changed what, the newest last. */
    history: (command: Named): Command =>
      reading(
        {
          ...command,
          arguments: [{ name: 'count', summary: 'how many changes; 20 by default', optional: true }],
        },
        async (_context, { document }, { arguments: [count = '20'] }, report) =>
          reportHistory(await document.history({ count: Math.min(numberOf(count), 1000) }), report),
      ),
  }
}
