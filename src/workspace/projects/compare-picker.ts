/** Beside a delivery: the reviewer's own copies, which the browser hashes and compares with the delivered files. */
import type { Submission } from "../../projects/project.ts"
import { filePicker } from "../kit/file-picker.ts"
import type { Content } from "../kit/html.ts"

/** Nothing where the delivery has no files. */
export const comparePicker = ({ submission }: { readonly submission: Submission | null }): Content =>
  submission === null || submission.items.every(({ files }) => files.length === 0)
    ? null
    : filePicker({
        id: "compare-files",
        enhance: "compare-files",
        label: "Compare your copies: choose the files that you opened, or drop them here",
        hint: "They are not uploaded: your browser computes size and SHA-256, and marks each delivered file above whose bytes are the same, or different. It ticks no box for you."
      })
