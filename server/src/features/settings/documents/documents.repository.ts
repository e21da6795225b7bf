import { and, desc, eq, lt } from 'drizzle-orm'
import type { Database, Transaction } from '../../../database/connection.ts'
import type { DocumentKey, HistoryPage, Revision } from '../../../documents/revision-store.ts'
import { documentRevisions, documents } from './documents.table.ts'

/** Returns the number of the newest revision of each document. */
export async function listHeads(db: Database): Promise<(DocumentKey & { revision: number })[]> {
  return await db.select().from(documents)
}

/** Returns one revision of a document. */
export async function findRevision(
  db: Database,
  key: DocumentKey,
  revision: number,
): Promise<Revision | undefined> {
  const [row] = await db
    .select()
    .from(documentRevisions)
    .where(and(ofDocument(key), eq(documentRevisions.revision, revision)))
  return row
}

/**
 * Returns one page of a document's revisions, newest first: at most `count`, and only revisions before `before` if
 * it is given.
 */
export async function listRevisions(
  db: Database,
  key: DocumentKey,
  { before, count }: HistoryPage,
): Promise<Revision[]> {
  return await db
    .select()
    .from(documentRevisions)
    .where(and(ofDocument(key), before === undefined ? undefined : lt(documentRevisions.revision, before)))
    .orderBy(desc(documentRevisions.revision))
    .limit(count)
}

/**
 * Adds the revision after `base`.
 *
 * @returns false if `base` is not the newest revision; then nothing is stored
 */
export async function addRevision(
  tx: Transaction,
  base: number,
  row: Omit<Revision, 'revision'>,
): Promise<boolean> {
  const { storefrontId, name } = row
  const revision = base + 1
  const moved =
    base === 0
      ? await tx
          .insert(documents)
          .values({ storefrontId, name, revision })
          .onConflictDoNothing()
          .returning({ revision: documents.revision })
      : await tx
          .update(documents)
          .set({ revision })
          .where(
            and(
              eq(documents.storefrontId, storefrontId),
              eq(documents.name, name),
              eq(documents.revision, base),
            ),
          )
          .returning({ revision: documents.revision })
  if (moved.length === 0) return false
  await tx.insert(documentRevisions).values({ ...row, revision })
  return true
}

function ofDocument({ storefrontId, name }: DocumentKey) {
  return and(eq(documentRevisions.storefrontId, storefrontId), eq(documentRevisions.name, name))
}
