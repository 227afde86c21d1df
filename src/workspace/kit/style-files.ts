/** The style of files that are hashed in the browser. */
export const fileStyle = `.file-picker { border: 1px dashed var(--edge); border-radius: 6px; padding: .9rem; }
.file-picker.dragging { border-color: var(--accent); background: var(--raised); }
.file-picker label { display: block; font-weight: 600; margin-bottom: .2rem; }
.file-picker .place { margin-bottom: 1rem; }
.file-picker progress { display: block; width: 100%; height: 1rem; margin: .75rem 0 .5rem; accent-color: var(--accent); }
.file-picker [data-part=status]:empty, .file-picker [data-part=results]:empty { display: none; }
.file-picker [data-part=status] { margin: .75rem 0 .5rem; }
.file-picker [data-part=results] { margin: 0; }
.badge.bad { color: var(--bad); background: var(--bad-ground); }
`
