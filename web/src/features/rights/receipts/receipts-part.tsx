import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/buttons/button.tsx'
import { Row, RowList } from '../../../design/lists/row-list.tsx'
import { Section, SectionSkeleton, SectionText } from '../../../design/page/section.tsx'
import { usePlace } from '../../../words/place.tsx'
import { alertError } from '../../ground/errors/alert-error.ts'
import { QueryPart } from '../../ground/errors/query-part.tsx'
import { downloadReceipt } from './download-receipt.ts'
import { type Receipt, receiptTexts } from './receipt-texts.ts'
import { receiptsQuery } from './receipts-query.ts'

/** Number of receipts that are shown at first: one year of monthly payments. */
const FIRST = 12

/** The receipts and credit notes of the account. Each can be downloaded as a file. */
export function ReceiptsPart() {
  const { t } = useTranslation('billing')
  return (
    <Section id="receipts" title={t('receipts')}>
      {/* `name` is empty, because the section already has a heading. */}
      <QueryPart name="" query={receiptsQuery} waiting={<SectionSkeleton />}>
        {(receipts) =>
          receipts.length === 0 ? (
            <SectionText>{t('noReceipts')}</SectionText>
          ) : (
            <Receipts receipts={receipts} />
          )
        }
      </QueryPart>
    </Section>
  )
}

function Receipts({ receipts }: { receipts: readonly Receipt[] }) {
  const { t } = useTranslation('billing')
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? receipts : receipts.slice(0, FIRST)
  const hidden = receipts.length - shown.length
  return (
    <>
      <RowList label={t('receipts')}>
        {shown.map((receipt) => (
          <ReceiptRow key={receipt.idReceipt} receipt={receipt} />
        ))}
      </RowList>
      {hidden > 0 && (
        <div>
          <Button onPress={() => setWhole(true)}>{t('all', { count: hidden })}</Button>
        </div>
      )}
    </>
  )
}

function ReceiptRow({ receipt }: { receipt: Receipt }) {
  const { t } = useTranslation()
  const place = usePlace()
  const [isPending, setPending] = useState(false)
  const { title, notes } = receiptTexts(receipt, place, t)

  async function download(): Promise<void> {
    setPending(true)
    try {
      await downloadReceipt(receipt)
    } catch (error) {
      await alertError(error)
    } finally {
      setPending(false)
    }
  }

  return (
    <Row title={title} notes={notes}>
      <Button
        isPending={isPending}
        aria-label={t('billing.downloadOf', { number: receipt.number })}
        onPress={() => void download()}
      >
        {t('billing.download')}
      </Button>
    </Row>
  )
}
