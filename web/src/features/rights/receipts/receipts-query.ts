import { listReceipts } from '@ondine/contract/receipts'
import { query } from '../../../api/query.ts'

/** The receipts and credit notes of the account, the newest first. */
export const receiptsQuery = query(listReceipts, {})
