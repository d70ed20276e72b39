try{let e=localStorage.getItem("adoubed.theme");(e==="light"||e==="dark")&&(document.documentElement.dataset.theme=e)}catch{document.documentElement.removeAttribute("data-theme")}
