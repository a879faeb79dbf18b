;;; Goes through a specification as somebody would, with the lines of editors/README.md:  -*- lexical-binding: t -*-
;;;     emacs --batch -l editors/emacs/test.el
;;; in the root of the repository, with `endstep' on the PATH. The folder in WORK is its own.

(package-initialize)
(require 'cl-lib)
(require 'eglot)

(defconst test-root default-directory)

(defun test-passed (what)
  (princ (format "ok - Emacs: %s\n" what)))

(defun test-until (what is)
  "Wait until IS returns something, and return it; WHAT says what it is."
  (let ((end (+ (float-time) 60)) found)
    (while (and (not (setq found (funcall is))) (< (float-time) end))
      (accept-process-output nil 0.05))
    (or found (error "It never came to this: %s" what))))

(defun test-text (path)
  (with-temp-buffer
    (insert-file-contents (expand-file-name path test-root))
    (buffer-string)))

(defun test-lines-of-page ()
  "Evaluate the block of the page that is for Emacs."
  (let ((page (test-text "editors/README.md")))
    (unless (string-match "```elisp\n\\(\\(?:.\\|\n\\)*?\\)```" page)
      (error "The page has nothing for Emacs"))
    (let ((block (match-string 1 page)))
      (with-temp-buffer
        (insert block)
        (eval-buffer)))))

(defun test-codes ()
  (flymake-start)
  (sort (delq nil (mapcar (lambda (one)
                            (let ((text (flymake-diagnostic-text one)))
                              (and (string-match "[EF][0-9]\\{4\\}" text) (match-string 0 text))))
                          (flymake-diagnostics)))
        #'string<))

(defun test-replace (text by)
  (goto-char (point-min))
  (search-forward text)
  (replace-match by t t)
  ;; What somebody who types would wait for.
  (run-hooks 'post-command-hook)
  (eglot--signal-textDocument/didChange))

(defun test-run ()
  (test-lines-of-page)
  (let* ((work (file-truename (getenv "WORK")))
         (path (expand-file-name "duel.endstep" work)))
    (with-temp-file path
      (insert (replace-regexp-in-string "decrease" "decrese" (test-text "tests/editors/duel.endstep") t)))
    (find-file path)
    (unless (eq major-mode 'endstep-mode)
      (error "The mode is %s" major-mode))
    ;; The hook waits for somebody to do something.
    (run-hooks 'post-command-hook)
    (test-until "the server is there" #'eglot-current-server)
    (test-until "an error is told" (lambda () (equal (test-codes) '("E0110"))))
    (test-passed "an error is told")

    (test-replace "decrese" "decrease")
    (test-until "findings are told" (lambda () (equal (test-codes) '("F0201" "F0201" "F0610"))))
    (test-passed "findings are told when the text rests")

    (goto-char (point-min))
    (search-forward "move f to fal")
    (let ((found (car (xref-backend-definitions 'eglot (xref-backend-identifier-at-point 'eglot)))))
      (unless (= 6 (xref-location-line (xref-item-location found)))
        (error "The definition is %S" found)))
    (test-passed "a name leads to its definition")

    (eglot-rename "beaten")
    (unless (= 2 (how-many "beaten" (point-min) (point-max)))
      (error "The text is %s" (buffer-string)))
    (test-passed "a name is changed wherever it stands")

    (test-replace "zone beaten" "zone   beaten")
    (eglot-format-buffer)
    (goto-char (point-min))
    (search-forward "zone beaten of Fighter")
    (test-passed "the text gets its layout")

    (goto-char (point-min))
    (search-forward "for each f")
    (let* ((is-show (lambda (one) (string-match-p "^Show F0201" (plist-get one :title))))
           (find-show (lambda () (cl-find-if is-show (eglot-code-actions (point) (point)))))
           (show (test-until "the finding can be shown" find-show)))
      (let (said)
        (cl-letf (((symbol-function 'eglot--message) (lambda (format &rest args) (setq said (apply #'format format args)))))
          (let ((command (plist-get show :command)))
            (eglot-execute-command (eglot-current-server)
                                   (intern (if (stringp command) command (plist-get command :command)))
                                   (plist-get (if (stringp command) show command) :arguments)))
          (test-until "the finding is shown" (lambda () said)))
        (unless (string-match-p "health of fighter 2: from 1 to 0" said)
          (error "It says %s" said))))
    (test-passed "a finding is shown")

    (save-buffer)
    (eglot-shutdown (eglot-current-server))
    (test-passed "the server ends")))

(condition-case why
    (test-run)
  (error
   (princ (format "not ok - Emacs: %S\n" why))
   (when (eglot-current-server)
     (ignore-errors (princ (with-current-buffer (eglot-events-buffer (eglot-current-server)) (buffer-string)))))
   (kill-emacs 1)))
(kill-emacs 0)
