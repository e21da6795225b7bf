import type { Context } from '../context.ts'
import type { Command, CommandInput } from '../control/commands.ts'
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
import type { Changed, EditableDocument } from './editable-document.ts'
import type { Authorship } from './revision-store.ts'

/** Storefront and base revision of a command about a document. */
export interface Target {
  storefrontId: number
  document: EditableDocument
  /** The revision that the command is based on. */
  base: number
  authorship: Authorship
}

/** A kind of documents, as `commandsOf` needs it to build the commands. */
export interface DocumentKind<Subject> {
  /**
   * Arguments that select one of several documents of the kind in a storefront, such as a language. They are the
   * first arguments of each command.
   */
  subject?: Command['arguments']
  /** Returns the subject that the arguments select. @throws CommandError when no such subject exists */
  subjectOf(input: CommandInput): Subject
  documentOf(context: Context, storefrontId: number, subject: Subject): EditableDocument
  /** Returns the command line that undoes the last change. */
  undo(subject: Subject): string
}

type Named = Pick<Command, 'name' | 'summary'>
type Signature = Named & Pick<Command, 'arguments'>

/** The two revisions that a command compares. */
const REVISIONS: Command['arguments'] = [
  { name: 'from', summary: 'a revision; 0 by default', optional: true },
  { name: 'to', summary: 'a revision; the newest by default', optional: true },
]

/**
 * Returns functions that build the commands of a kind of documents. Each of these functions adds the arguments and
 * options that all its commands share.
 */
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

  /** Returns the arguments after the subject. */
  const rest = (input: CommandInput) => input.arguments.slice(subject.length)

  /** Builds a command that shows a document or its history. */
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

  /** Builds a command that changes a document and reports the change. */
  function changing(
    command: Signature,
    change: (context: Context, target: Chosen, written: string[], report: Reporter) => Promise<Changed>,
    /** End of the sentence with which the report explains the undo command. */
    undoes = 'undoes this change',
  ): Command {
    return {
      ...command,
      arguments: [...subject, ...command.arguments],
      options: CHANGE_OPTIONS,
      run: async (context, input, { report }) =>
        await inWords(async () => {
          const target = targetOf(context, input)
          const { storefront } = input.options
          // Without the storefront's name, the suggested command would undo the last change of the first
          // storefront.
          const where = typeof storefront === 'string' ? ` --storefront ${storefront}` : ''
          const changed = await change(context, target, rest(input), report)
          reportChange(changed, `\`${undo(target.subject)}${where}\` ${undoes}.`, report)
        }),
    }
  }

  return {
    reading,
    changing,

    /** Builds the command that restores an earlier revision. `nothing` describes revision 0. */
    restoring: (command: Named, nothing: string): Command =>
      changing(
        { ...command, arguments: [{ name: 'revision', summary: `its number; 0 for ${nothing}` }] },
        async (_context, { document, base, authorship }, [revision = '']) =>
          await document.restore(base, numberOf(revision), authorship),
      ),

    /** Builds the command that undoes the last change. */
    undoing: (command: Named): Command =>
      changing(
        { ...command, arguments: [] },
        async (_context, { document, base, authorship }) => await document.undo(base, authorship),
        'undoes the change before it',
      ),

    /** Builds the command that compares two revisions, by default 0 and the newest. */
    comparing: (command: Named): Command =>
      reading(
        { ...command, arguments: REVISIONS },
        async (_context, { document, base }, { arguments: [from = '0', to] }, report) => {
          const until = to === undefined ? base : numberOf(to)
          reportDifferences(await document.diff(numberOf(from), until), report)
        },
      ),

    /** Builds the command that lists the changes with their authors, the newest last. */
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
