import { eq, exists, or, type SQL, sql } from 'drizzle-orm'
import type { AnyPgColumn } from 'drizzle-orm/pg-core'
import type { Transaction } from '../../../database/connection.ts'
import { editorial } from './editorial.table.ts'

/** Returns the SQL condition that a text shows the picture, as its main picture or in its content. */
export function textNamesPicture(tx: Transaction, imageId: AnyPgColumn): SQL {
  const isInContent = sql`strpos(${editorial.content}::text, '/images/' || ${imageId}) > 0`
  return exists(
    tx
      .select({ one: sql`1` })
      .from(editorial)
      .where(or(eq(editorial.imageId, imageId), isInContent)),
  )
}
