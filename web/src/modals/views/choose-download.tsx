import { type FormEvent, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../design/buttons/button.tsx'
import { ChoiceRow, ChoiceRows } from '../../design/fields/choice-row.tsx'
import { SelectField } from '../../design/fields/select-field.tsx'
import { ModalFrame } from '../modal-frame.tsx'
import type { ModalViewProps } from '../modal-view.ts'
import styles from './choice-form.module.css'

/** The form for the quality and the languages of a download. A field with a single option is not shown. */
export function ChooseDownloadView({ modal, answer }: ModalViewProps<'chooseDownload'>) {
  const { t } = useTranslation('modals')
  const form = useId()
  const [choice, setChoice] = useState(modal.choice)
  const { height, languages } = choice
  const { qualities, audio, subtitles } = modal

  function submit(event: FormEvent): void {
    event.preventDefault()
    answer(choice)
  }

  return (
    <ModalFrame
      title={modal.title || t('chooseDownloadTitle', { title: modal.itemContent?.title })}
      text={modal.description}
      onClose={() => answer(null)}
      actions={
        <>
          <Button look="primary" type="submit" form={form}>
            {modal.primaryLabel || t('chooseDownloadGo')}
          </Button>
          <Button onPress={() => answer(null)}>{t('cancel')}</Button>
        </>
      }
    >
      <form id={form} className={styles.form} onSubmit={submit}>
        {qualities.length > 1 && (
          <ChoiceRows
            aria-label={t('chooseDownloadQuality')}
            value={String(height)}
            onChange={(lines) => setChoice({ ...choice, height: Number(lines) })}
          >
            {qualities.map((quality) => (
              <ChoiceRow key={quality.height} value={String(quality.height)}>
                <span className={styles.choice}>
                  <span>{quality.text}</span>
                  <span className={styles.note}>{quality.note}</span>
                </span>
              </ChoiceRow>
            ))}
          </ChoiceRows>
        )}
        {audio.length > 1 && (
          <SelectField
            name="audio"
            label={t('chooseDownloadAudio')}
            placeholder=""
            options={audio}
            value={languages.audio}
            onChange={(id) => setChoice({ ...choice, languages: { ...languages, audio: id } })}
          />
        )}
        {subtitles.length > 1 && (
          <SelectField
            name="subtitle"
            label={t('chooseDownloadSubtitles')}
            placeholder=""
            options={subtitles}
            value={languages.subtitle}
            onChange={(id) => setChoice({ ...choice, languages: { ...languages, subtitle: id } })}
          />
        )}
      </form>
    </ModalFrame>
  )
}
